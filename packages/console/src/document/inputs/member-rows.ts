/** The rows of the members of a list, as they are shown. */

/** @param inside an element of the list, which has `data-members` */
export function rowsOf(inside: Element): HTMLElement[] {
  const list = inside.closest('[data-members]');
  // lists inside of members have members too
  return [...(list?.querySelectorAll<HTMLElement>('[data-member]') ?? [])].filter(
    (row) => row.parentElement?.closest('[data-members]') === list,
  );
}
