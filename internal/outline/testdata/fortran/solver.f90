! subroutine commented()
module solver
  use iso_fortran_env, only: real64
  implicit none

  type, abstract :: grid_t
    real(real64) :: step
  contains
    procedure :: refine
  end type grid_t

  type point
    real :: x, y
  end type

  interface operator(+)
    module procedure add
  end interface

  abstract interface
    pure function rhs(x) result(y)
      real, intent(in) :: x
    end function
  end interface

contains

  pure elemental real(real64) function square(x) result(y)
    real(real64), intent(in) :: x
    y = x*x
    print *, 'subroutine written()'
  end function square

  recursive subroutine Solve(n)
    integer, intent(in) :: n
    type(point) :: p
  end subroutine

  module procedure refine
  end procedure

  integer*8 function big()
  end function
end module solver

PROGRAM main
END PROGRAM main
