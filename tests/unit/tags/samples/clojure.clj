;; Orders of a small shop.
(ns shop.orders
  "A docstring (defn fake [])"
  (:require [clojure.string :as str]
            [shop.db :refer [fetch save!]])
  (:import (java.util Date UUID)
           java.io.File)
  (:gen-class))

(declare later)

(def limit 10)
(def ^:private ^{:doc "x"} secret "s")
(defonce state (atom {}))
(def ^:dynamic *depth* 0)

(defn total
  "Sums up."
  ([] 0)
  ([cart & more]
   (let [items (:items cart)
         f (fn inner [x] (price-of x))]
     (->> items
          (map f)
          (reduce + 0)
          round-to))))

(defn- ^long private-fn [x] (str/join "," x))
(defn ^{:private true} annotated [x] (helper x))

(defmacro with-order [[id] & body]
  `(let [~id (fetch ~id)]
     ~@body))

(defprotocol Printable
  "Things to print."
  (render [this] [this opts])
  (size [this]))

(defrecord Order [id items]
  Printable
  (render [this] (str id))
  (size [_] (count items)))

(deftype Point [x y]
  Object
  (toString [_] (format "%s" x)))

(definterface Shape
  (^double area []))

(defmulti area :shape)
(defmethod area :circle [{:keys [r]}] (circle-area r))
(defmethod area :default [_] (throw (ex-info "no" {})))

(defstruct person :name)
(extend-type String
  Printable
  (render [s] (str/trim s)))

(extend-protocol Printable
  nil
  (render [_] "nil"))

(defn größe [liste] (länge liste))
(defn valid?! [x] #(check % x))

(s/def ::id string?)
(s/fdef total :args (s/cat :cart map?))
(deftest total-test
  (testing "sums"
    (is (= 0 (total)))))

(defn later []
  (try
    (.getTime (Date.))
    (File. "x")
    (Math/abs -1)
    (UUID/randomUUID)
    (catch Exception e (log/error e))))

#?(:clj (defn only-clj [] (jvm)))
(comment (defn in-comment []))
#_(defn dropped [])
'(defn quoted [])
(when dev (defn conditional [] 1))
(let [hidden 1] (defn closed [] hidden))
(re-frame/reg-event-db :init (fn [db _] db))
