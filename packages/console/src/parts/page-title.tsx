import { Title } from '@mantine/core';
import { useTabTitle } from './tab-title.ts';

interface TitleParts {
  readonly children: string;
  /** The title of the browser's tab, the most particular part first. Without it, the heading. */
  readonly tab?: readonly string[];
}

/** The heading of a view, and the title of its tab. */
export function PageTitle({ children, tab = [children] }: TitleParts) {
  useTabTitle(...tab);
  return (
    <Title order={1} size="h3" mb="md">
      {children}
    </Title>
  );
}
