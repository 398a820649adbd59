/** Gives a text to the browser as a file. */
export function download(name: string, type: string, content: string | Blob): void {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  // the browser has taken it by the next task
  setTimeout(() => URL.revokeObjectURL(url));
}
