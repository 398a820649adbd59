/** What the store allows: sizes, times and counts, with their defaults. */ /** The bounds of a store. */ const megabyte = 1024 * 1024;
/** The limits of a store that is not told otherwise. */ export const defaultLimits = {
    documents: 250_000,
    dataBytes: 512 * megabyte,
    reserveDocuments: 10_000,
    reserveBytes: 16 * megabyte,
    documentBytes: 16 * megabyte,
    commandBytes: 100 * megabyte,
    encodedBytes: 32 * megabyte,
    historyEvents: 10_000,
    historyBytes: 16 * megabyte,
    heldEvents: 100_000,
    heldBytes: 64 * megabyte,
    holdMs: 2_000,
    readerMs: 10_000,
    imageBytes: 16 * megabyte,
    sliceMs: 5,
    turnMs: 10,
    turnBytes: 4 * megabyte,
    stallMs: 20_000,
    restMs: 60_000,
    heapMegabytes: 2_048,
    connections: 1_000,
    sessionMinutes: 30,
    transactionSeconds: 60,
    expirySeconds: 60
};
/** The longest batch of a cursor in bytes. */ export const batchBytes = 16 * megabyte;
