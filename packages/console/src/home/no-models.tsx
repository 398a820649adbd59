/** What the home page shows to a caller who reads no models but that of users: what to do about it. */
import { Alert, Code, Text } from '@mantine/core';

/** A whole model file. */
const example = `import { Schema } from 'mongoose';

export default new Schema(
  { title: { type: String, required: true }, year: Number },
  { perms: { user: 'r', admin: 'crud' } },
);`;

export const NoModels = ({ isAdmin }: { readonly isAdmin: boolean }) =>
  isAdmin ? (
    <Alert variant="outline" title="This server has no models yet" mb="md">
      <Text size="sm" mb="xs">
        A model is a file in the folder of the models (<Code>models</Code>, unless <Code>MODELS_DIR</Code> names another
        one). Save this one there as <Code>film.ts</Code> and start the server again, and films are listed here:
      </Text>
      <Code block tabIndex={0}>
        {example}
      </Code>
    </Alert>
  ) : (
    <Alert variant="outline" title="There is nothing here that you may read" mb="md">
      <Text size="sm">An admin of this server can give you rights, by a group or by the rights of a model.</Text>
    </Alert>
  );
