/** The stages that take password-named fields out of a model's documents before any stage of a caller sees them. */ import { isSecretName } from "../registry/secrets.js";
import { doingOf, freeLevels, SeenFields } from "./pipeline-fields.js";
/** The stage that cleans the documents that a join has put into a field. */ export const removalAt = (field)=>({
        $set: {
            [field]: cleaned(`$${field}`, freeLevels + 1)
        }
    });
/**
 * The stages of a caller behind stages that keep password-named values from them, also those that the schema does not name. As long
 * as the caller's stages see only what they name, no more than that is cleaned, and an answer leaves the rest out; documents are
 * cleaned as a whole where a stage may see more of them.
 * @param joined the documents go on into a pipeline around this one, which may see more of them
 */ export function withoutSecrets(schema, stages, joined) {
    const seen = new SeenFields(schema);
    let at = 0;
    let cleaning = joined ? [
        wholeRemoval
    ] : [];
    for(; at < stages.length; at++){
        const stage = stages[at];
        const isLastFacet = '$facet' in stage && at === stages.length - 1 && !joined;
        const doing = isLastFacet ? facetDoing(stage) : doingOf(stage);
        if (doing === 'hidden') cleaning = [
            wholeRemoval
        ];
        else seen.add(stage);
        if (doing === 'made') cleaning = [];
        if (doing !== 'kept') break;
    }
    return [
        ...removalOf(seen.levels()),
        ...stages.slice(0, at),
        ...cleaning,
        ...stages.slice(at)
    ];
}
/** More fields than these are cleaned with their whole documents: an expression for each of thousands would be larger than a command. */ const mostFields = 20;
/** The stages that clean fields, each so many levels deep. */ function removalOf(levels) {
    if (levels.size === 0) return [];
    if (levels.size > mostFields) return [
        wholeRemoval
    ];
    const fields = [
        ...levels
    ].map(([field, depth])=>[
            field,
            isSecretName(field) ? '$$REMOVE' : cleaned(`$${field}`, depth)
        ]);
    return [
        {
            $set: Object.fromEntries(fields)
        }
    ];
}
/** What its branches keep lies in the answer, and nothing comes after it. */ function facetDoing({ $facet }) {
    const branches = Object.values($facet);
    return branches.flat().some((stage)=>doingOf(stage) === 'hidden') ? 'hidden' : 'kept';
}
/**
 * An expression for a value without its password-named keys, in any letter case, in objects and lists of them. Objects and lists
 * both become lists of `{k, v}`, so that the expression grows by one part a level, not by two; lists of plain values stay.
 */ function cleaned(value, levels) {
    if (levels === 0) return {
        $cond: [
            isComposed(value),
            null,
            value
        ]
    };
    const pairs = {
        $cond: [
            {
                $isArray: '$$value'
            },
            {
                $map: {
                    input: '$$value',
                    as: 'pair',
                    in: {
                        k: '',
                        v: '$$pair'
                    }
                }
            },
            {
                $filter: {
                    input: {
                        $objectToArray: '$$value'
                    },
                    as: 'pair',
                    cond: {
                        $ne: [
                            {
                                $toLower: '$$pair.k'
                            },
                            'password'
                        ]
                    }
                }
            }
        ]
    };
    const inner = {
        $map: {
            input: pairs,
            as: 'pair',
            in: {
                k: '$$pair.k',
                v: cleaned('$$pair.v', levels - 1)
            }
        }
    };
    const whole = {
        $let: {
            vars: {
                pairs: inner
            },
            in: {
                $cond: [
                    {
                        $isArray: '$$value'
                    },
                    '$$pairs.v',
                    {
                        $arrayToObject: '$$pairs'
                    }
                ]
            }
        }
    };
    const withinValue = {
        $cond: [
            isPlainList,
            '$$value',
            whole
        ]
    };
    return {
        $cond: [
            isComposed(value),
            {
                $let: {
                    vars: {
                        value
                    },
                    in: withinValue
                }
            },
            value
        ]
    };
}
const isComposed = (value)=>({
        $in: [
            {
                $type: value
            },
            [
                'object',
                'array'
            ]
        ]
    });
const kinds = {
    $map: {
        input: '$$value',
        as: 'member',
        in: {
            $type: '$$member'
        }
    }
};
const isPlainList = {
    $and: [
        {
            $isArray: '$$value'
        },
        {
            $not: {
                $in: [
                    'object',
                    kinds
                ]
            }
        },
        {
            $not: {
                $in: [
                    'array',
                    kinds
                ]
            }
        }
    ]
};
/** The stage that cleans every document, whatever it holds. Fields go by being made anew: not every engine keeps what `$unset` took. */ const wholeRemoval = Object.freeze({
    $replaceWith: cleaned('$$ROOT', freeLevels + 1)
});
