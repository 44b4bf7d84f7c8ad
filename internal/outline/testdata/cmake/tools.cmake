# function(commented)
cmake_minimum_required(VERSION 3.20)
#[[
function(in_a_comment)
]]
set(TEXT "
function(in_a_text)
")
function(add_plugin name)
  add_library(${name} SHARED plugin.c)
endfunction()

MACRO (check_flag FLAG)
endmacro()

add_library(core-lib STATIC
  a.c
)
add_executable(app main.c)
