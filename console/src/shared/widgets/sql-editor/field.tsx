import { type Ref, useImperativeHandle, useMemo, useRef } from 'react';
import { SqlEditor } from '.';
import type { SqlEditorProps } from './editor';

/** What a form does with a field of its own: it goes there when it has something to say of it. */
interface FieldInstance {
  nativeElement: HTMLElement | null;
  focus: () => void;
}

interface Props extends Pick<SqlEditorProps, 'grammar' | 'height'> {
  /** Names that completion offers. */
  tables?: readonly string[];
  id?: string;
  value?: string;
  onChange?: (value: string) => void;
  ref?: Ref<FieldInstance>;
}

const ignore = () => undefined;

/** SQL in a form. The form's item hands `id`, `value`, `onChange` and `ref` to it. */
export function SqlField({ tables = [], value = '', onChange = ignore, ref, ...more }: Props) {
  const place = useRef<HTMLDivElement>(null);
  useImperativeHandle(ref, () => ({
    nativeElement: place.current,
    focus: () => place.current?.querySelector<HTMLElement>('[contenteditable]')?.focus(),
  }));
  const names = tables.join('\n');
  // Another object would make another editor.
  const schema = useMemo(
    () => Object.fromEntries(names.split('\n').flatMap((name) => (name ? [[name, []]] : []))),
    [names],
  );
  return (
    <div ref={place}>
      <SqlEditor label="SQL" schema={schema} value={value} onChange={onChange} {...more} />
    </div>
  );
}
