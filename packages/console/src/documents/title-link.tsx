/** The link to a document: its title, or the end of its id where it has none. */
import { Anchor } from '@mantine/core';
import type { Document } from '../api/fields.ts';
import { titleField, titleOf } from '../api/fields.ts';
import type { OwnModel } from '../api/models.ts';

/** Long ids differ at their ends. */
const shortId = (id: string): string => (id.length > 12 ? `…${id.slice(-6)}` : id);

interface LinkParts {
  readonly href: string;
  /** Whether its document is shown beside the table. */
  readonly isOpened: boolean;
  readonly document: Document;
  readonly model: OwnModel;
}

export function TitleLink({ href, isOpened, document, model }: LinkParts) {
  const id = String(document._id);
  const title = titleOf(document, model);
  return (
    <Anchor
      href={href}
      size="sm"
      fw={500}
      title={id === title ? id : undefined}
      data-row={id}
      aria-current={isOpened ? 'true' : undefined}
    >
      {title === id && titleField(model) !== '_id' ? <bdi>{shortId(id)}</bdi> : title}
    </Anchor>
  );
}
