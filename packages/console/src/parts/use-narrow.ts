/** Whether the window is as narrow as that of a phone: below 48em, as in `style.css`. */
import { useMediaQuery } from '@mantine/hooks';

export const useNarrow = (): boolean =>
  useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false });
