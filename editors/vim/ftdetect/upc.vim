" UPC sources and headers.
autocmd BufNewFile,BufRead *.upc,*.upch setfiletype upc
