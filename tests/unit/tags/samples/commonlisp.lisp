;;; Orders of a small shop.
(defpackage :shop.orders
  (:use #:cl #:shop.db)
  (:export #:order #:total))

(in-package :shop.orders)

(defvar *state* (make-hash-table))
(defparameter *limit* 10 "A (defun fake ()) docstring.")
(defconstant +max+ 3)
(define-constant +other+ 4)

(defstruct point x y)
(defstruct (line (:include shape) (:constructor new-line)) from to)

(defclass order (entity printable)
  ((id :initarg :id :accessor order-id)
   (items :initform nil :reader order-items))
  (:documentation "An order."))

(define-condition no-order (error)
  ((id :initarg :id)))

(defgeneric total (thing &key tax)
  (:documentation "Sums up.")
  (:method ((thing null) &key tax) 0))

(defmethod total ((thing order) &key (tax 0))
  (let ((items (order-items thing)))
    (reduce #'+ (mapcar #'price-of items))))

(defmethod print-object :around ((o order) stream)
  (call-next-method)
  (format stream "order"))

(defmethod (setf order-id) (value (o order))
  (update-id o value))

(defun round-to (x &optional (n 2))
  "Rounds."
  (flet ((inner (y) (scale y n)))
    (labels ((deep (z) (inner z)))
      (deep x))))

(defun (setf limit) (value)
  (setf *limit* value))

(defmacro with-order ((var id) &body body)
  `(let ((,var (fetch ,id)))
     ,@body))

(define-compiler-macro fast (x) `(quick ,x))
(define-modify-macro push-all (more) append)
(defsetf slot-of set-slot-of)
(deftype small () '(integer 0 9))
(declaim (inline fast) (ftype (function (t) t) round-to))

(defun größe (liste) (länge liste))
(defun <=> (a b) (funcall 'compare a b))

(eval-when (:compile-toplevel)
  (defun at-compile-time () (build)))

(let ((count 0))
  (defun counter () (incf count)))

(define-symbol-macro now (get-time))
(handler-case (make-instance 'order :id 1)
  (no-order (c) (report c)))
(loop for x in (list-orders) do (ship x))
#| (defun in-comment ()) |#
#+sbcl (defun only-sbcl () (sb-ext:quit))
(defsystem "shop" :depends-on ("alexandria"))
(deftest total-works (is (= 0 (total nil))))
(DEFUN LOUD (X) (WHISPER X))
(def-http-code +gone+ 410 "Gone")
(fiveam:test loud-works (loud 1))
(cffi:defcfun ("c_name" lisp-name) :int (x :int))
