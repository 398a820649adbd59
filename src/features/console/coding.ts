/** Content codings (RFC 9110, 12.5.3): which compressed form of a file a caller accepts. */

/** In the order of preference. */
const codings = ['br', 'gzip'] as const;
type Coding = (typeof codings)[number];

/** The best coding of those that `Accept-Encoding` names with a weight above zero; undefined for the plain file. */
export function codingOf(accepted: string | undefined): Coding | undefined {
  const weights = new Map((accepted ?? '').toLowerCase().split(',').map(weighted));
  return codings.find((coding) => (weights.get(coding) ?? weights.get('*') ?? 0) > 0);
}

function weighted(part: string): [string, number] {
  const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
  const weight = parameters.find((text) => text.startsWith('q='))?.slice(2);
  return [name, weight === undefined ? 1 : Number(weight) || 0];
}
