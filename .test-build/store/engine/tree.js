/** The door to sorted-btree, the copy-on-write B+tree behind collections and indexes. */ import * as package_ from 'sorted-btree';
import { bulkLoad } from 'sorted-btree/extended/bulkLoad.js';
/** A package of CommonJS is seen with one `default` more or less, by who loads it. */ const constructor = ()=>{
    const loaded = package_;
    const inner = loaded.default;
    return typeof inner === 'function' ? inner : inner.default;
};
const SortedBTree = constructor();
/** Keys in one node, as the package has it by itself. */ const nodeSize = 32;
/** An empty tree in the order of `compare`. */ export function makeTree(compare) {
    return new SortedBTree(undefined, compare);
}
/** A tree of keys that are strictly in the order of `compare` already, each with the value at its place. */ export function treeOf(keys, values, compare) {
    return bulkLoad(keys, values, nodeSize, compare);
}
/** Values that are taken from a tree at once: its ends are then compared once a node, not once a key. */ const blockLength = 128;
/**
 * The values of a stretch in their order or backwards, as they are when the first ones are asked for. Those are taken at
 * once, so that a short stretch needs no copy of the tree: one that has been copied is slower to write to.
 */ export function* blocksOf(live, stretch, backwards) {
    const take = backwards ? takeBackwards : takeForwards;
    let tree = live;
    for(let left = stretch; left !== undefined;){
        const block = [];
        left = take(tree, left, block);
        if (left !== undefined && tree === live) tree = live.clone();
        if (block.length > 0) yield block;
    }
}
/** Fills a block; gives the stretch that is left, if there may be one. */ function takeForwards(tree, stretch, block) {
    const last = tree.forRange(stretch.low, stretch.high, true, (key, value)=>{
        block.push(value);
        return block.length < blockLength ? undefined : {
            break: {
                key
            }
        };
    });
    return typeof last === 'number' ? undefined : {
        ...stretch,
        low: stretch.beside(last.key, 0.5)
    };
}
function takeBackwards(tree, stretch, block) {
    for (const [key, value] of tree.entriesReversed(stretch.high)){
        if (stretch.compare(key, stretch.low) < 0) return undefined;
        block.push(value);
        if (block.length === blockLength) return {
            ...stretch,
            high: stretch.beside(key, -0.5)
        };
    }
    return undefined;
}
