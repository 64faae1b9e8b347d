import type { Ref } from 'react';
import { SqlEditor } from '@/shared/widgets/sql-editor';

interface Props {
  /** Names of the inputs, which completion offers. */
  inputs: readonly string[];
  value?: string;
  onChange?: (value: string) => void;
  /** So that the form finds the field when it has something to say of it. */
  ref?: Ref<HTMLDivElement>;
}

/** The form's item hands `value`, `onChange` and `ref` to it. */
export function SqlField({ inputs, value = '', onChange = () => undefined, ref }: Props) {
  // Another object would make another editor.
  const schema = namespaces(inputs.join('\n'));
  return (
    <div ref={ref}>
      <SqlEditor
        label="SQL"
        dialect="postgresql"
        schema={schema}
        value={value}
        onChange={onChange}
        height={200}
      />
    </div>
  );
}

let last = { names: '', schema: {} };

function namespaces(names: string): Record<string, string[]> {
  if (names !== last.names) {
    last = { names, schema: Object.fromEntries(names.split('\n').map((name) => [name, []])) };
  }
  return last.schema;
}
