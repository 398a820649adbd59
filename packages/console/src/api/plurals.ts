/** Plurals and singulars of English names, for models. Pure. Names in other languages have a `label` in their model files. */

/** Words that are written in capital letters. */
export const capitals: ReadonlySet<string> = new Set(
  `ai api atm b2b bic bmi cd ceo cpu crm css csv cto dns dvd ean erp eta eu eur faq ftp gbp gdp gmt gps gpu gtin hdmi html http https iban id ip
  isbn issn iso json kpi lcd mp3 nfc oem os pc pdf png po qr rfid roi rss seo sku sla sms sql ssd ssh ssl ssn svg tls tv uk
  upc url us usa usb usd utc uuid vat vin vip vpn xml zip`.split(/\s+/),
);

export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Words without a plural, and those whose plural is the same. */
const uncountable: ReadonlySet<string> = new Set(
  words(`
    advice aircraft cash chess data deer equipment evidence feedback fish furniture hardware headquarters help homework
    information inventory knowledge lighting luggage machinery mail media merchandise metadata money music news
    offspring payroll personnel progress research rice salmon scenery series sheep shipping shrimp software species
    spacecraft staff stock swine traffic transportation trout weather wildlife`),
);

/** Words with a plural of their own, as pairs. */
const irregular: readonly (readonly [one: string, many: string])[] = words(`
  alumnus/alumni analysis/analyses appendix/appendices axis/axes bacterium/bacteria basis/bases calf/calves
  child/children crisis/crises criterion/criteria curriculum/curricula diagnosis/diagnoses echo/echoes elf/elves
  ellipsis/ellipses emphasis/emphases foot/feet fungus/fungi goose/geese half/halves hero/heroes hypothesis/hypotheses index/indexes
  knife/knives larva/larvae leaf/leaves life/lives loaf/loaves louse/lice man/men matrix/matrices mouse/mice
  movie/movies nucleus/nuclei oasis/oases ox/oxen parenthesis/parentheses person/people phenomenon/phenomena
  potato/potatoes quiz/quizzes scarf/scarves self/selves shelf/shelves stimulus/stimuli synopsis/synopses
  synthesis/syntheses thesis/theses thief/thieves tomato/tomatoes tooth/teeth torpedo/torpedoes vertex/vertices
  veto/vetoes wife/wives wolf/wolves woman/women cookie/cookies pie/pies tie/ties zombie/zombies calorie/calories
  cache/caches niche/niches avalanche/avalanches ache/aches headache/headaches axe/axes gas/gases
  lens/lenses canvas/canvases atlas/atlases alias/aliases bias/biases`).map((pair) => {
  const [one = '', many = ''] = pair.split('/');
  return [one, many];
});

/** What compound words end in: "stepchild", "chairwoman", "salesman" and "bookshelf", but "human" and "belief". */
const compound =
  /^(.{3,})(child|children|woman|women|wife|wives|shelf|shelves)$|^(sales|chair|work|fire|post|police|fisher|crafts|gentle|business|trades)(man|men)$/;

/** The other form of a word that has one of its own. @param to 0 for the singular, 1 for the plural */
function irregularForm(lower: string, to: 0 | 1): string | undefined {
  const pair = irregular.find((forms) => forms.includes(lower));
  if (pair !== undefined) return pair[to];
  const [, before, end, beforeMan, man] = compound.exec(lower) ?? [];
  const inner = irregular.find((forms) => forms.includes(end ?? man ?? ''));
  return inner === undefined ? undefined : `${before ?? beforeMan ?? ''}${inner[to]}`;
}

/** Replaces the last word of a text. */
const withLast = (text: string, change: (word: string) => string): string =>
  text.replace(/[^\s]+$/, (word) => (/^[a-z]+$/i.test(word) ? change(word) : word));

/** A word that replaces another one begins with the same kind of letter. */
const cased = (word: string, next: string): string => (/^\p{Lu}/u.test(word) ? capitalised(next) : next);

/** The plural of an English name; one that is plural already, or not written in plain letters, is kept. */
export const pluralOf = (text: string): string =>
  withLast(text, (word) => {
    const lower = word.toLowerCase();
    const form = irregularForm(lower, 1);
    if (form !== undefined) return cased(word, form);
    if (uncountable.has(lower) || singularWord(word) !== word) return word;
    if (capitals.has(lower)) return `${word}s`;
    if (/[^aeiou]y$/.test(lower)) return `${word.slice(0, -1)}ies`;
    return /(s|x|z|ch|sh)$/.test(lower) ? `${word}es` : `${word}s`;
  });

/** The singular of an English name. */
export const singularOf = (text: string): string => withLast(text, singularWord);

function singularWord(word: string): string {
  const lower = word.toLowerCase();
  const form = irregularForm(lower, 0);
  if (form !== undefined) return cased(word, form);
  if (uncountable.has(lower) || /(ss|us|is|as)$/.test(lower)) return word;
  if (/[^aeiou]ies$/.test(lower)) return `${word.slice(0, -3)}y`;
  if (/(ss|[^aeo]us|x|ch|sh|zz)es$/.test(lower)) return word.slice(0, -2);
  return word.replace(/s$/, '');
}
