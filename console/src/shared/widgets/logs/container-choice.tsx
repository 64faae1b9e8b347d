import { useMay } from '@/shared/hooks/use-may';
import { ContainerSelect } from '../selectors';
import type { LogFilter } from './queries';

interface Props {
  filter: LogFilter;
  onChange: (change: Partial<LogFilter>) => void;
}

/** The container whose logs are searched, for viewers who may see containers; none: all. */
export function ContainerChoice({ filter, onChange }: Props) {
  const may = useMay('container');
  if (!may('view')) return null;
  return (
    <ContainerSelect
      value={filter.container || undefined}
      // A service belongs to one container.
      onChange={(container) => onChange({ container: container ?? '', source: '' })}
    />
  );
}
