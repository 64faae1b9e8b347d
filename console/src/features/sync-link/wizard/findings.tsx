import type { FindingRecord } from '@/shared/api';

/** What the last pre-check had against one field, under the field. */
export function Findings({ findings }: { findings: readonly FindingRecord[] }) {
  return findings.map(({ code, column, level, text, remedy }) => (
    <div
      key={`${code} ${column}`}
      role={level === 'error' ? 'alert' : undefined}
      className={level === 'error' ? 'wizard-note-blocking' : 'wizard-note'}
    >
      {text}
      {remedy && <div className="wizard-note">{remedy}</div>}
    </div>
  ));
}
