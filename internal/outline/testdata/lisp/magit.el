;;; magit.el --- (defun commented ())
(require 'cl-lib)

(defgroup magit nil "Controlling Git." :group 'tools)

(defcustom magit-limit 10
  "How many. (defun written ())"
  :type 'integer)

(defvar magit--cache nil)
(defconst magit-version "1.0")

(defface magit-head '((t :bold t)) "Face.")

(cl-defstruct (magit-point (:constructor magit-point-make))
  x y)

(defclass magit-section () ((value :initarg :value)))

(defun magit-status (&optional directory)
  "Show it."
  (let ((quote ?\") (semi ?\;))
    (flet ((local (x) x)) (local directory))))

(cl-defmethod magit-show ((obj magit-section)) obj)
(cl-defgeneric magit-show (obj))

(defmacro with-magit (&rest body) `(progn ,@body))

(define-minor-mode magit-mode "Mode." :lighter " M")
(define-derived-mode magit-log-mode fundamental-mode "Log")
(defalias 'magit 'magit-status)

(transient-define-prefix magit-dispatch (&optional arg)
  "Dispatch."
  [("a" "all" magit-all)])
(magit-define-jumper magit-jump "Jump" here)
(easy-menu-define magit-menu nil "Menu." '("M"))
(pcase-defmacro magit-match (re) re)
(defvar-keymap magit-keys :doc "Keys.")
(magit-default-branch again)
(magit-undefined thing)

(ert-deftest magit-status-test () (should t))

#| (defun in-a-block ()) |#
(defpackage :magit-core (:use :cl))
(eval-when-compile
  (defun compiled () nil))
