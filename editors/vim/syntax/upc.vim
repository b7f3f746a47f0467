" UPC: C with the words of UPC 1.3.
if exists('b:current_syntax')
  finish
endif
runtime! syntax/c.vim
unlet! b:current_syntax

syntax keyword upcQualifier shared strict relaxed
syntax keyword upcRepeat    upc_forall
syntax keyword upcStatement upc_barrier upc_notify upc_wait upc_fence
syntax keyword upcOperator  upc_blocksizeof upc_elemsizeof upc_localsizeof
syntax keyword upcConstant  THREADS MYTHREAD UPC_MAX_BLOCK_SIZE
syntax match   upcType      /\<b\?upc_\w\+_t\>/
syntax match   upcFunction  /\<b\?upc_\w\+\>\ze\s*(/
syntax match   upcMacro     /\<B\?UPC_[A-Z0-9_]\+\>/
syntax match   upcPragma    /^\s*#\s*pragma\s\+\(upcc\?\|pupc\)\>.*/

highlight default link upcQualifier StorageClass
highlight default link upcRepeat    Repeat
highlight default link upcStatement Statement
highlight default link upcOperator  Operator
highlight default link upcConstant  Constant
highlight default link upcType      Type
highlight default link upcFunction  Function
highlight default link upcMacro     Constant
highlight default link upcPragma    PreProc

let b:current_syntax = 'upc'
