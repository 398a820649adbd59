/** The guides as agents read them: each as Markdown, and a list of all with the other descriptions of the server (llmstxt.org). */
import { unknownPath } from '../../core.ts';
import { guideGroups, guidesOf } from './guide-list.ts';

/** What describes a server besides its guides, where it is on. */
export interface ServerAddresses {
  /** The public address of the server, without a slash at the end. */
  readonly url: string;
  readonly hasMcp: boolean;
}

/** The text of `/llms.txt`. It names no model. */
export async function guideIndex({ url, hasMcp }: ServerAddresses): Promise<string> {
  const groups = await guideGroups();
  const sections = groups.map(
    ({ title, guides }) =>
      `## ${title}\n\n${guides.map((guide) => `- [${guide.title}](${url}/docs/${guide.name}.md): ${guide.summary}`).join('\n')}\n`,
  );
  const descriptions = [
    `- [OpenAPI](${url}/openapi.json): the operations and models that the caller may use`,
    `- [Models](${url}/model): the models, and by \`/model/{name}\` the fields, rights and functions of one`,
    ...(hasMcp ? [`- [MCP](${url}/mcp): tools of the Model Context Protocol, by POST`] : []),
  ];
  return [
    '# Dossier\n',
    '> A REST API over MongoDB: each model has lists, filters, links, counts, exports, events and writes, under the rights of the caller.\n',
    `Send credentials as \`Authorization: Bearer\`, as \`x-api-key\` or by HTTP Basic. Answers are JSON. What is refused says why, in \`message\` and \`errors\`.\n`,
    `## Descriptions\n\n${descriptions.join('\n')}\n`,
    ...sections,
  ].join('\n');
}

/** A guide in Markdown. @param file such as `models.md` @throws 404 for the name of no guide */
export async function guideMarkdown(file: string): Promise<string> {
  const guide = guidesOf(await guideGroups()).find(({ name }) => `${name}.md` === file);
  if (guide === undefined) throw unknownPath();
  return guide.text;
}
