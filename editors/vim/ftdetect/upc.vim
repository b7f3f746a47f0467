" UPC sources.
autocmd BufNewFile,BufRead *.upc setfiletype upc
