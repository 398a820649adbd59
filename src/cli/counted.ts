/** Numbers of things in messages. */

/** @returns such as `1 document` or `2 documents` */
export const counted = (count: number, thing: string, things = `${thing}s`): string =>
  `${count} ${count === 1 ? thing : things}`;
