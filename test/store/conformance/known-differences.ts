/** Cases in which the other engine at hand (DocumentDB, not MongoDB) is known to answer differently from MongoDB's manual. */

/** Names of cases. */
export const knownDifferences: ReadonlySet<string> = new Set([
  // answers with a count of 0 where MongoDB answers with nothing
  '$count of nothing',
  // takes an empty projection, which MongoDB refuses
  '$project of nothing',
]);
