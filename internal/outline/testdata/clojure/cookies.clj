(ns ring.middleware.cookies
  "Middleware for cookies."
  (:require [clojure.string :as str]))

(def ^:private re-cookie #"[^;]+(def x)")

(defn- valid-attr?
  "Is it (defn written)?"
  [[key value]]
  (let [c \" d \;]
    (and key value)))

(defmacro with-cookies [& body]
  `(do ~@body))

(defprotocol CookieInterval
  (->seconds [this]))

(defrecord Cookie [name value])

(defmulti render :kind)
(defmethod render :text [x] x)
(defmethod render :html [x] x)

#?(:clj
   (defn ^String wrap-cookies
     ([handler] (wrap-cookies handler {}))
     ([handler options] handler)))

; (defn commented [])
(defonce state (atom {}))

(deftest wrap-cookies-test
  (is (= 1 1)))
