" :compiler upcc, :make file.upc: errors and warnings become places.
if exists('current_compiler')
  finish
endif
let current_compiler = 'upcc'
if exists(':CompilerSet') != 2
  command -nargs=* CompilerSet setlocal <args>
endif
CompilerSet makeprg=upcc\ -fsyntax-only\ $*\ %:S
" The excerpt below a message is not a place of its own.
CompilerSet errorformat=
      \%f:%l:%c:\ fatal\ %trror:\ %m,
      \%f:%l:%c:\ %trror:\ %m,
      \%f:%l:%c:\ %tarning:\ %m,
      \%-G%.%#
