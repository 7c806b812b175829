! Solvers for small systems.
module solver_mod
  use, intrinsic :: iso_fortran_env, only: real64, int32
  use mesh_mod, only: mesh_t, build_mesh => make_mesh
  implicit none
  private
  public :: solve, state_t

  integer, parameter :: max_steps = 100
  real(real64), save :: tolerance = 1.0e-6_real64, factor
  character(len=*), parameter :: text = 'subroutine fake'

  type :: state_t
    real(real64), allocatable :: x(:)
    integer :: n = 0
  contains
    procedure :: advance => state_advance
    procedure, private :: reset
    generic :: write(formatted) => reset
    final :: destroy
  end type state_t

  type, extends(state_t), abstract :: special_t
  contains
    procedure(step_if), deferred :: step
  end type

  enum, bind(c)
    enumerator :: red = 1, green
  end enum

  abstract interface
    subroutine step_if(self)
      import :: special_t
      class(special_t), intent(inout) :: self
    end subroutine step_if
  end interface

  interface norm
    module procedure norm_real
    procedure norm_int
  end interface norm

  interface operator(+)
    module procedure add_states
  end interface

contains

  subroutine solve(s, tol)
    type(state_t), intent(inout) :: s
    real(real64), intent(in), optional :: tol
    integer :: i
    do i = 1, max_steps
      call s%advance(tol)
      if (norm_real(s%x) < tolerance) exit
    end do
    call report(s, compute(i))
  contains
    subroutine inner(y)
      real, intent(in) :: y
      call show(y)
    end subroutine inner
  end subroutine solve

  pure recursive function norm_real(x) result(r)
    real(real64), intent(in) :: x(:)
    real(real64) :: r
    r = sqrt(sum(x**2))
  end function norm_real

  elemental real function area(r)
    real, intent(in) :: r
    area = pi() * r
  end function

  subroutine state_advance(self, dt)
    class(state_t) :: self
    allocate(special_t :: tmp)
  end subroutine
end module solver_mod

submodule (solver_mod) solver_impl
contains
  module procedure later
    call work()
  end procedure later
end submodule

program main
  use solver_mod
  type(state_t) :: s
  s = state_t(n=3)
  call solve(s)
end program main

integer function old_style(n)
  common /shared/ a, b
  old_style = n
end function
