" Writes what Vim makes of sample.upc to report.txt: the syntax group of words, and the places of upcc's messages.
filetype plugin on
syntax on
edit sample.upc
let report = ['mode ' . &filetype]
for word in ['shared', 'THREADS', 'int', 'upc_lock_t', 'upc_all_lock_alloc', 'upc_forall', 'upc_barrier', 'MYTHREAD', 'return']
  " The first line behind the comment that has the word.
  call cursor(3, 1)
  let [line, column] = searchpos('\<' . word . '\>', 'cW')
  call add(report, word . ' ' . synIDattr(synID(line, column, 1), 'name'))
endfor
call cursor(2, 4)
call add(report, 'comment ' . synIDattr(synID(2, 4, 1), 'name'))
silent make!
for entry in filter(getqflist(), 'v:val.valid')
  call add(report, printf('%s:%d:%d %s', bufname(entry.bufnr), entry.lnum, entry.col, entry.text))
endfor
call writefile(report, 'report.txt')
qall!
