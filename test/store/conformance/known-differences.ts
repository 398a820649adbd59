/** Cases in which the other engine at hand (DocumentDB, not MongoDB) is known to answer differently from MongoDB's manual. */

/** Names of cases. */
export const knownDifferences: ReadonlySet<string> = new Set([]);
