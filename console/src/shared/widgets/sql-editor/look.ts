import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const words = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--link)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--success-text)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--warning-text)' },
  { tag: tags.typeName, color: 'var(--chart-4)' },
  { tag: tags.comment, color: 'var(--quiet-text)', fontStyle: 'italic' },
  { tag: tags.invalid, color: 'var(--error)' },
]);

/** The editor in the console's colours, in whichever theme. */
export const look: Extension = [
  syntaxHighlighting(words),
  EditorView.theme({
    '&': { color: 'var(--text)', backgroundColor: 'var(--surface)' },
    '.cm-content': { caretColor: 'var(--text)' },
    '.cm-cursor': { borderLeftColor: 'var(--text)' },
    '.cm-gutters': {
      color: 'var(--quiet-text)',
      backgroundColor: 'var(--fill)',
      borderRight: '1px solid var(--line)',
    },
    '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--fill)' },
    '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
      backgroundColor: 'var(--primary-fill)',
    },
    '.cm-tooltip': {
      color: 'var(--text)',
      backgroundColor: 'var(--surface)',
      border: '1px solid var(--border)',
    },
    '.cm-tooltip-autocomplete ul li[aria-selected]': {
      color: 'var(--text)',
      backgroundColor: 'var(--primary-fill)',
    },
    '.cm-panels': { color: 'var(--text)', backgroundColor: 'var(--fill)' },
  }),
];
