/** Text in HTML. */

/** A text as HTML shows it, within an element or a quoted attribute. */
export const escapedHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
