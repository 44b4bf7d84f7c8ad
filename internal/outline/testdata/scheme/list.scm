;; (define (commented) 1)
(define-module (shop list))
(define limit 10)
(define (total items)
  (let loop ((x items)) x))
(define* (find-item name #:key (rate 1)) name)
(define-record-type point (make-point x y) point? (x point-x))
(define-syntax while
  (syntax-rules () ((_ c) c)))
#| (define (in-a-block) 1) |#
