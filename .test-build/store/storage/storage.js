/** What is kept on disk: the shape of a commit, of what is loaded, and of the place that keeps it. */ /** A document to be written. */ /** Keeps nothing: the store in memory. */ export const memoryStorage = {
    load: ()=>undefined,
    commit: ()=>undefined,
    probe: ()=>undefined,
    close: ()=>undefined
};
