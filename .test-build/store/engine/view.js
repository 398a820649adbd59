/** What a command sees and may change: the store as it is, or a transaction's own copy of it. */ /** The documents that a command reads and writes. */ export { };
