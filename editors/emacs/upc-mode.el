;;; upc-mode.el --- Major mode for Unified Parallel C  -*- lexical-binding: t -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "27.1"))
;; Keywords: c languages

;;; Commentary:

;; C mode with the words of UPC 1.3, the messages of upcc in compilation
;; buffers, and the language server `upcc lsp' for eglot.

;;; Code:

(require 'cc-mode)
(require 'compile)

(defgroup upc nil
  "Unified Parallel C."
  :group 'languages)

(defcustom upc-compiler "upcc"
  "The program upcc."
  :type 'string
  :group 'upc)

(defcustom upc-flags nil
  "Flags of files that no compile_commands.json lists."
  :type '(repeat string)
  :group 'upc)

(defconst upc-words
  `(("\\_<b?upc_[a-z0-9_]+\\_>\\(?:\\s-*(\\)" . font-lock-builtin-face)
    (,(regexp-opt '("shared" "strict" "relaxed"
                    "upc_forall" "upc_barrier" "upc_notify" "upc_wait" "upc_fence"
                    "upc_blocksizeof" "upc_elemsizeof" "upc_localsizeof")
                  'symbols)
     . font-lock-keyword-face)
    (,(regexp-opt '("THREADS" "MYTHREAD" "UPC_MAX_BLOCK_SIZE") 'symbols)
     . font-lock-constant-face)
    ("\\_<b?upc_[a-z0-9_]+_t\\_>" . font-lock-type-face)
    ("\\_<B?UPC_[A-Z0-9_]+\\_>" . font-lock-constant-face))
  "The words of UPC, in addition to those of C, and their faces.
The last that matches counts.")

(defun upc--in-code (regexp)
  "Return a function that searches for REGEXP outside strings and comments."
  (lambda (limit)
    (let (found)
      (while (and (setq found (re-search-forward regexp limit t))
                  (save-match-data
                    (save-excursion (nth 8 (syntax-ppss (match-beginning 0)))))))
      found)))

(defun upc--keywords ()
  "Return `upc-words' for font-lock.
The mode for C takes `shared' for a type, so each overrides its face."
  (mapcar (lambda (word)
            `(,(upc--in-code (car word)) (0 ,(cdr word) t)))
          upc-words))

(defun upc--keyword-regexp (words)
  "Return the regexp for WORDS in the form that CC mode uses."
  (concat (regexp-opt words t) "\\([^[:alnum:]_$]\\|$\\)"))

;;;###autoload
(define-derived-mode upc-mode c-mode "UPC"
  "Major mode for Unified Parallel C."
  (font-lock-add-keywords nil (upc--keywords) t)
  ;; `upc_forall' indents as `for' does.
  (setq-local c-block-stmt-2-key
              (upc--keyword-regexp '("for" "if" "switch" "while" "upc_forall")))
  (setq-local c-paren-stmt-key (upc--keyword-regexp '("for" "upc_forall")))
  (setq-local comment-start "// "
              comment-end "")
  (when buffer-file-name
    (setq-local compile-command
                (concat upc-compiler " -fsyntax-only "
                        (shell-quote-argument (file-name-nondirectory buffer-file-name))))))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.upc\\'" . upc-mode))

;; upcc writes messages as gcc does: the entry `gnu' of
;; `compilation-error-regexp-alist' finds them.

(defun upc--server (&rest _)
  "Return the command of the language server and its options for eglot."
  (list upc-compiler "lsp" :initializationOptions (list :flags (vconcat upc-flags))))

(with-eval-after-load 'eglot
  (defvar eglot-server-programs)
  (add-to-list 'eglot-server-programs '(upc-mode . upc--server)))

(provide 'upc-mode)
;;; upc-mode.el ends here
