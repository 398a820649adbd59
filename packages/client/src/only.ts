/** Refuses options that a method does not have, which a program without types would not notice. */

/**
 * @param known the names of the options that the method has, separated by spaces
 * @returns the options @throws TypeError that names another one, and those that the method has
 */
export function only<Options extends object>(method: string, options: Options, known: string): Options {
  const names = known.split(' ');
  const other = Object.keys(options).find((name) => !names.includes(name));
  if (other === undefined) return options;
  throw new TypeError(
    `${method} has no option ${JSON.stringify(other)}: there ${names.length === 1 ? 'is' : 'are'} ${names.join(', ')}`,
  );
}
