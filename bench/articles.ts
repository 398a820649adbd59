/** The documents of `npm run bench -- endurance` and `-- scale`: 1 KB each, with a text of 60 words. */
import mongoose from 'mongoose';

export interface Article {
  readonly _id: mongoose.Types.ObjectId;
  readonly price: number;
  readonly text: string;
}

const stamps = { _deleted: false, createdAt: new Date(1.7e12), updatedAt: new Date(1.7e12), __v: 0 };

export const idOf = (number: number): mongoose.Types.ObjectId =>
  new mongoose.Types.ObjectId(`00000004${number.toString(16).padStart(16, '0')}`);

/** Pseudo-random whole numbers, the same at each run. */
function randomly(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % limit;
  };
}

/** A few words are in most texts, most are rare, as in a natural text. */
function textOf(number: number, random: (limit: number) => number): string {
  const words = ['common', `unique${number}`];
  while (words.length < 60) words.push(`word${Math.floor(50_000 ** (random(1_000_000) / 1_000_000))}`);
  return words.join(' ');
}

/** The fields of an article besides its `_id`. */
export function fieldsOf(number: number) {
  const random = randomly(number + 1);
  return {
    ...{ name: `name ${random(1_000_000_000)}`, group: random(1000), price: random(1_000_000) },
    ...{ text: textOf(number, random), created: new Date(1.7e12 + number * 1000), filler: 'x'.repeat(400) },
  };
}

/** The article of a number, as the server stores it. */
export const articleOf = (number: number): Article => ({ _id: idOf(number), ...fieldsOf(number), ...stamps });
