import { Title } from '@mantine/core';

/** The heading of a view. */
export const PageTitle = ({ children }: { readonly children: string }) => (
  <Title order={1} size="h3" mb="md">
    {children}
  </Title>
);
