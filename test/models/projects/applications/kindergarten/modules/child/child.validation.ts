import { z } from 'zod';

export const childValidation = z.object({
  name: z.object({ firstName: z.string().min(1), lastName: z.string() }),
  gender: z.enum(['male', 'female', 'other']),
});
