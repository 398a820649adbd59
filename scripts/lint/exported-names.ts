/** The ESLint rule `exported-names`: an export says what it is or does, by a noun or a verb (CONTRIBUTING.md, "Style"). */
import type { Rule } from 'eslint';

/** First words that only say that something was once handed over, looked at or put somewhere. */
const empty = words('asked given judged kept shown wanted');

/** What is left of a name when its nouns and verbs are missing, besides words in `-ed` and `-ing`. */
const states = words(
  `anonymous apart backwards begun bound broken brought built busy castable canonical caught chosen done drawn driven elsewhere equal
   everything explainable forbidden forgotten found frozen given held hidden internal invalid kept known last loose lost made missing
   misspelt narrowest nearest nothing okay optional overtaken own past ready recordable rebuilt repeatable rewritten said safe same seen sent
   shown smaller spent together truthy unavailable unknown unreadable unrepeatable whole written wrong`,
);
const fillers = words(
  'a after all an as at before beside by first for from in it no not of off on once one only or out the to up with without',
);

/** Nouns and verbs that end as participles do. */
const nouns = words(
  `bed coding embed exceed feed folding grouping heading mapping matching meaning need padding proceed ring rounding seed setting speed spelling
   string thing timing warning bring sing`,
);

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}

const isState = (word: string): boolean => states.has(word) || (/(ed|ing)$/.test(word) && !nouns.has(word));

/**
 * What is wrong with the name of an export.
 * @returns undefined for a name with a noun or a verb
 */
function nameFault(name: string): string | undefined {
  const parts = [...name.matchAll(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g)].map(([word]) => word.toLowerCase());
  const [first = ''] = parts;
  if (empty.has(first)) return `${name} begins with "${first}", which says nothing about it`;
  const hasState = parts.some(isState);
  return hasState && parts.every((word) => isState(word) || fillers.has(word))
    ? `${name} is a participle or an adjective`
    : undefined;
}

type Visited = Parameters<NonNullable<Rule.RuleListener['ExportNamedDeclaration']>>[0];

/** A declaration as parsers of TypeScript see it: types have names, too. */
interface Declaration {
  readonly id?: { readonly name?: string } | null;
}

/** The names that a statement exports; names of other files are judged there, but for new ones. */
function namesOf(node: Visited, context: Rule.RuleContext): string[] {
  const { declaration } = node;
  if (!declaration)
    return node.specifiers.flatMap(({ exported, local }) =>
      exported.type !== 'Identifier' || (local.type === 'Identifier' && node.source && local.name === exported.name)
        ? []
        : [exported.name],
    );
  if (declaration.type === 'VariableDeclaration')
    return context.sourceCode.getDeclaredVariables(declaration).map(({ name }) => name);
  const name = (declaration as Declaration).id?.name;
  return name === undefined ? [] : [name];
}

export const exportedNames: Rule.RuleModule = {
  meta: {
    type: 'suggestion',
    docs: { description: 'Exports are named by a noun or a verb.' },
    schema: [],
    messages: {
      fault: '{{fault}}: name what it is (a noun, as `changedPaths`) or what it does (a verb, as `readPaths`).',
    },
  },
  create: (context) => ({
    ExportNamedDeclaration(node) {
      for (const name of namesOf(node, context)) {
        const fault = nameFault(name);
        if (fault !== undefined) context.report({ node, messageId: 'fault', data: { fault } });
      }
    },
  }),
};
