" function! s:Commented()
let g:fugitive_loaded = 1
let s:cache = {} " a "quoted" word
let local_one = 1

function! s:Status(bang, ...) abort
  let l:x = 'function! Written()'
  echo "function! AlsoWritten()"
endfunction

function! fugitive#Head(...) abort
endfunction

func s:dict.method() dict
endfunc

command! -bang -nargs=* Git call s:Status(<bang>0)

export def Vim9(n: number): string
  # def Commented()
  return 'x'
enddef

class Point
endclass
