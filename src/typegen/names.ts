/** The names of interfaces: unique, and none that the module uses otherwise. */

/** Names of the module itself, and of types that its interfaces refer to. */
const taken: readonly string[] = ['Models', 'Roles', 'SystemModels', 'Routes', 'Date', 'Record'];

export interface Names {
  /** A name of words in upper camel case, with a number where it is taken. */
  take(words: readonly string[]): string;
}

export function makeNames(): Names {
  const used = new Set(taken);
  return {
    take(words) {
      const plain = words
        .flatMap((word) => word.split(/[^A-Za-z0-9]+/))
        .map(capitalized)
        .join('');
      const wanted = /^[A-Za-z]/.test(plain) ? plain : `Model${plain}`;
      let name = wanted;
      for (let next = 2; used.has(name); next++) name = `${wanted}${next}`;
      used.add(name);
      return name;
    },
  };
}

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
