/**
 * Every name in MongoDB's manual (7.0, and stages of later versions) is either supported or refused by name with code
 * 115; none is treated as a name that MongoDB does not have.
 */
import { describe, expect, test } from '@jest/globals';
import type { Document } from 'mongodb';
import { storeInMemory } from '../opened.ts';

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

const commands = words(`
  abortTransaction abortReshardCollection addShard addShardToZone aggregate analyze analyzeShardKey authenticate autoCompact
  balancerCollectionStatus balancerStart balancerStatus balancerStop buildInfo bulkWrite cleanupOrphaned
  cleanupReshardCollection clearJumboFlag cloneCollectionAsCapped collMod collStats commitReshardCollection
  commitTransaction compact configureCollectionBalancing configureQueryAnalyzer connPoolStats connectionStatus
  convertToCapped count create createIndexes createRole createSearchIndexes createUser currentOp dataSize dbHash dbStats
  delete distinct drop dropAllRolesFromDatabase dropAllUsersFromDatabase dropDatabase dropIndexes dropRole
  dropSearchIndex dropUser enableSharding endSessions explain features filemd5 find findAndModify flushRouterConfig fsync
  fsyncUnlock getAuditConfig getClusterParameter getCmdLineOpts getDefaultRWConcern getLog getMore getParameter
  getShardMap getShardVersion grantPrivilegesToRole grantRolesToRole grantRolesToUser hello hostInfo insert
  invalidateUserCache isMaster isdbgrid killAllSessions killAllSessionsByPattern killCursors killOp killSessions
  listCollections listCommands listDatabases listIndexes listShards lockInfo logApplicationMessage logRotate logout
  mapReduce mergeChunks moveChunk movePrimary netstat ping planCacheClear planCacheClearFilters planCacheListFilters
  planCacheSetFilter profile reIndex refineCollectionShardKey refreshSessions removeQuerySettings removeShard
  removeShardFromZone renameCollection replSetAbortPrimaryCatchUp replSetFreeze replSetGetConfig replSetGetStatus
  replSetInitiate replSetMaintenance replSetReconfig replSetResizeOplog replSetStepDown replSetSyncFrom
  reshardCollection revokePrivilegesFromRole revokeRolesFromRole revokeRolesFromUser rolesInfo rotateCertificates
  saslContinue saslStart serverStatus setAuditConfig setClusterParameter setDefaultRWConcern
  setFeatureCompatibilityVersion setIndexCommitQuorum setParameter setQuerySettings setUserWriteBlockMode
  shardCollection shardingState shutdown split startSession top unshardCollection update updateRole updateSearchIndex
  updateUser updateZoneKeyRange usersInfo validate validateDBMetadata whatsmyuri`);

const stages = words(`
  $addFields $bucket $bucketAuto $changeStream $changeStreamSplitLargeEvent $collStats $count $currentOp $densify
  $documents $facet $fill $geoNear $graphLookup $group $indexStats $limit $listClusterCatalog $listLocalSessions
  $listSampledQueries $listSearchIndexes $listSessions $lookup $match $merge $out $planCacheStats $project
  $querySettings $queryStats $rankFusion $redact $replaceRoot $replaceWith $sample $score $scoreFusion $search
  $searchMeta $set $setWindowFields $shardedDataDistribution $skip $sort $sortByCount $unionWith $unset $unwind
  $vectorSearch`);

const expressions = words(`
  $abs $acos $acosh $add $allElementsTrue $and $anyElementTrue $arrayElemAt $arrayToObject $asin $asinh $atan $atan2
  $atanh $avg $binarySize $bitAnd $bitNot $bitOr $bitXor $bsonSize $ceil $cmp $concat $concatArrays $cond $convert $cos
  $cosh $dateAdd $dateDiff $dateFromParts $dateFromString $dateSubtract $dateToParts $dateToString $dateTrunc $dayOfMonth
  $dayOfWeek $dayOfYear $degreesToRadians $divide $eq $exp $filter $first $firstN $floor $function $getField $gt $gte
  $hour $ifNull $in $indexOfArray $indexOfBytes $indexOfCP $isArray $isNumber $isoDayOfWeek $isoWeek $isoWeekYear $last
  $lastN $let $literal $ln $log $log10 $lt $lte $ltrim $map $max $maxN $median $mergeObjects $meta $millisecond $min
  $minN $minute $mod $month $multiply $ne $not $objectToArray $or $percentile $pow $radiansToDegrees $rand $range $reduce
  $regexFind $regexFindAll $regexMatch $replaceAll $replaceOne $reverseArray $round $rtrim $sampleRate $second
  $setDifference $setEquals $setField $setIntersection $setIsSubset $setUnion $sin $sinh $size $slice $sortArray $split
  $sqrt $stdDevPop $stdDevSamp $strLenBytes $strLenCP $strcasecmp $substr $substrBytes $substrCP $subtract $sum $switch
  $tan $tanh $toBool $toDate $toDecimal $toDouble $toHashedIndexKey $toInt $toLong $toLower $toObjectId $toString
  $toUpper $trim $trunc $tsIncrement $tsSecond $type $unsetField $week $year $zip`);

const accumulators = words(`
  $accumulator $addToSet $avg $bottom $bottomN $count $first $firstN $last $lastN $max $maxN $median $mergeObjects $min
  $minN $percentile $push $stdDevPop $stdDevSamp $sum $top $topN`);

const windows = words(`
  $addToSet $avg $bottom $bottomN $count $covariancePop $covarianceSamp $denseRank $derivative $documentNumber
  $expMovingAvg $first $firstN $integral $last $lastN $linearFill $locf $max $maxN $median $min $minN $percentile $push
  $rank $shift $stdDevPop $stdDevSamp $sum $top $topN`);

const conditions = words(`
  $all $bitsAllClear $bitsAllSet $bitsAnyClear $bitsAnySet $elemMatch $eq $exists $geoIntersects $geoWithin $gt $gte $in
  $lt $lte $maxDistance $minDistance $mod $ne $near $nearSphere $nin $not $options $regex $size $type`);

const filters = words('$and $comment $expr $jsonSchema $nor $or $sampleRate $text $where');

const updates = words(`
  $addToSet $bit $currentDate $inc $max $min $mul $pop $pull $pullAll $push $rename $set $setOnInsert $unset`);

const indexOptions = words(`
  2dsphereIndexVersion background bits bucketSize clustered collation default_language expireAfterSeconds hidden
  language_override max min partialFilterExpression prepareUnique sparse storageEngine textIndexVersion unique weights
  wildcardProjection`);

const changes = words(`
  cappedMax cappedSize changeStreamPreAndPostImages expireAfterSeconds index pipeline timeseries validationAction
  validationLevel validator viewOn`);

const kinds = words(`
  autoIndexId capped changeStreamPreAndPostImages clusteredIndex collation encryptedFields expireAfterSeconds
  indexOptionDefaults max pipeline size storageEngine timeseries validationAction validationLevel validator viewOn`);

const aggregate = (stage: Document): Document => ({ aggregate: 'c', pipeline: [stage], cursor: {} });
const find = (filter: Document): Document => ({ find: 'c', filter });

type Make = (name: string) => Document;
const groups: readonly (readonly [what: string, names: readonly string[], make: Make])[] = [
  ['the command', commands, (name) => ({ [name]: 1 })],
  ['the stage', stages, (name) => aggregate({ [name]: {} })],
  ['the stage of a database', stages, (name) => ({ ...aggregate({ [name]: {} }), aggregate: 1 })],
  ['the expression', expressions, (name) => aggregate({ $project: { x: { [name]: {} } } })],
  ['the accumulator', accumulators, (name) => aggregate({ $group: { _id: 1, x: { [name]: {} } } })],
  [
    'the window function',
    windows,
    (name) => aggregate({ $setWindowFields: { sortBy: { a: 1 }, output: { x: { [name]: {} } } } }),
  ],
  ['the condition', conditions, (name) => find({ a: { [name]: {} } })],
  ['the filter', filters, (name) => find({ [name]: {} })],
  ['the update operator', updates, (name) => ({ update: 'c', updates: [{ q: {}, u: { [name]: {} } }] })],
  [
    'the option of an index',
    indexOptions,
    (name) => ({ createIndexes: 'i', indexes: [{ key: { a: 1 }, name: 'a', [name]: {} }] }),
  ],
  ['the option of collMod', changes, (name) => ({ collMod: 'c', [name]: {} })],
  ['the option of create', kinds, (name) => ({ create: 'new', [name]: {} })],
];

describe('a name of MongoDB is supported or refused by name', () => {
  const opened = storeInMemory();

  test.each(groups)('%s', async (_what, names, make) => {
    await opened.db.createCollection('c').catch(() => undefined);
    const answers = await Promise.all(
      names.map(async (name): Promise<readonly [string, unknown, string]> => {
        const answer = await opened.db.command(make(name)).catch((error: unknown) => error as Document);
        const [{ code, errmsg } = answer] = (answer['writeErrors'] ?? [answer]) as readonly Document[];
        return [name, code, String(errmsg)];
      }),
    );
    expect(answers.filter(([, , message]) => message.includes('has no such name'))).toEqual([]);
    const refused = answers.filter(([, code]) => code === 115);
    expect(refused.filter(([name, , message]) => !message.includes(name))).toEqual([]);
  });
});
