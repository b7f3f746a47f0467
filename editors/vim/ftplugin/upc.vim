" UPC: the settings of C, and upcc as the compiler.
if exists('b:did_ftplugin')
  finish
endif
runtime! ftplugin/c.vim
setlocal commentstring=//\ %s
compiler upcc
let b:undo_ftplugin = get(b:, 'undo_ftplugin', '') . ' | setlocal commentstring< makeprg< errorformat<'
