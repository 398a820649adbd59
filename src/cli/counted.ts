/** Numbers of things in messages. */

/** @returns such as `1 document` or `2 documents` */
export const counted = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? '' : 's'}`;
