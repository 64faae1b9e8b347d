import {
  MySQL,
  PostgreSQL,
  type SQLDialect,
  type SQLNamespace,
  StandardSQL,
  sql,
} from '@codemirror/lang-sql';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { basicSetup } from 'codemirror';
import { useEffect, useRef, useState } from 'react';
import type { DbTypeRecord } from '@/shared/api';
import { look } from './look';
import './editor.css';

export interface SqlEditorProps {
  /** Names the editor for screen readers. */
  label: string;
  /** Of what is typed into, for a form's label. */
  id?: string | undefined;
  value: string;
  onChange: (value: string) => void;
  grammar?: DbTypeRecord['grammar'] | undefined;
  /** What completion offers: columns by table, or tables by schema. */
  schema?: SQLNamespace;
  readOnly?: boolean;
  /** Ctrl+Enter (⌘+Enter). */
  onRun?: () => void;
  /** Pixels. */
  height?: number;
}

const grammars: Record<DbTypeRecord['grammar'], SQLDialect> = {
  standard: StandardSQL,
  postgresql: PostgreSQL,
  mysql: MySQL,
};

function language({ grammar, schema }: Pick<SqlEditorProps, 'grammar' | 'schema'>): Extension {
  return sql({ dialect: grammars[grammar ?? 'standard'], schema, upperCaseKeywords: true });
}

function extensions(
  props: SqlEditorProps,
  latest: { current: SqlEditorProps },
  languagePart: Compartment,
): Extension[] {
  const { label, id, readOnly = false } = props;
  const run = () => {
    latest.current.onRun?.();
    return latest.current.onRun !== undefined;
  };
  return [
    // Before the editor's own keys, which would put in an empty line.
    keymap.of([{ key: 'Mod-Enter', run }]),
    basicSetup,
    look,
    languagePart.of(language(props)),
    EditorView.contentAttributes.of({ 'aria-label': label, ...(id && { id }) }),
    EditorState.readOnly.of(readOnly),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) latest.current.onChange(update.state.doc.toString());
    }),
  ];
}

/** Tab leaves the editor, as everywhere else; lines are indented with Ctrl+] and Ctrl+[. */
export default function Editor(props: SqlEditorProps) {
  const { value, grammar, schema, readOnly, label, height = 200 } = props;
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const [languagePart] = useState(() => new Compartment());
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text alone does not make another editor
  useEffect(() => {
    if (!place.current) return;
    const doc = view.current?.state.doc.toString() ?? latest.current.value;
    view.current = new EditorView({
      doc,
      extensions: extensions(latest.current, latest, languagePart),
      parent: place.current,
    });
    return () => view.current?.destroy();
  }, [readOnly, label]);
  // Other names to complete leave text, place and focus as they are.
  useEffect(() => {
    view.current?.dispatch({ effects: languagePart.reconfigure(language({ grammar, schema })) });
  }, [grammar, schema, languagePart]);
  useEffect(() => {
    const editor = view.current;
    const shown = editor?.state.doc.toString();
    if (editor && shown !== value) {
      editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
    }
  }, [value]);
  return <div ref={place} className="sql-editor" style={{ height }} />;
}
