/** Keeps the colours that are chosen for the pages beside the console too: in a cookie, since these pages run no script. */
import { useMantineColorScheme } from '@mantine/core';
import { useEffect } from 'react';
import { apiUrl } from './api/client.ts';

const year = 31_536_000;

/** A cookie that the server reads (`src/features/pages/page.ts`). It has no part in signing in. */
function keep(colours: string): void {
  const path = `${new URL(apiUrl).pathname.replace(/\/$/, '')}/`;
  const age = colours === 'auto' ? 0 : year;
  document.cookie = `dossier_colours=${colours}; path=${path}; max-age=${age}; samesite=lax`;
}

export function KeptColours(): null {
  const { colorScheme } = useMantineColorScheme();
  useEffect(() => keep(colorScheme), [colorScheme]);
  return null;
}
