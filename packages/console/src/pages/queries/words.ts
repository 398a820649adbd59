/** What the editor of queries completes: fields, operators and stages. */
import type { OwnModel } from '../../api/models.ts';
import type { Completion } from '../../parts/editor-parts.ts';

const operators =
  '$eq $ne $gt $gte $lt $lte $in $nin $all $exists $size $regex $options $not $elemMatch $mod $type $and $or $nor'.split(
    ' ',
  );
const stages =
  '$match $project $group $sort $limit $skip $unwind $lookup $addFields $set $unset $count $sortByCount $facet $bucket $bucketAuto $sample $replaceRoot $replaceWith $unionWith $graphLookup $setWindowFields'.split(
    ' ',
  );
const accumulators = '$sum $avg $min $max $first $last $push $addToSet'.split(' ');

const described = (labels: readonly string[], detail: string): Completion[] =>
  labels.map((label) => ({ label, detail }));

export const wordsFor = ({ fields }: OwnModel): readonly Completion[] => [
  ...Object.entries(fields).map(([label, { type, array }]) => ({ label, detail: array ? `list of ${type}` : type })),
  ...described(operators, 'operator'),
  ...described(stages, 'stage'),
  ...described(accumulators, 'accumulator'),
];
