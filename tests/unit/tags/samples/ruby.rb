require "json"

module Shop
  VERSION = "1.0"

  class Store < Base::Store
    include Comparable
    attr_accessor :name,
                  :size
    before_action :check, only: :index

    class << self
      def open(path) = new(JSON.parse(read_file(path)))
    end

    def self.default = @default ||= open("x")

    def <=>(other)
      compare(name, other.name)
    end

    def empty? = items.none?

    def name=(value)
      @name = normalise(value)
    end

    private def reload!(*args, &blk)
      text = <<~TXT
        def fake; end
      TXT
      with_lock { fetch_all(text, *args, &blk) }
    rescue Timeout::Error => e
      retry_later
    end

    define_method(:dynamic) { |x| x }
    alias old_default default
    Item = Struct.new(:id, :qty) do
      def total = price_of(id) * qty
    end
    Broken = Class.new(StandardError)
  end
end

class Shop::Other; end
def helper(store) = Shop::Store.open(store)&.empty?
