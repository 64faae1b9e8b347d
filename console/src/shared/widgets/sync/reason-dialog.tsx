import { Modal } from 'antd';
import type { TaskTableRecord } from '@/shared/api';
import { usePageActive } from '@/shared/pages/page-context';
import { Moment } from '@/shared/ui/figures';
import { Remedy } from '@/shared/ui/remedy';
import { StateTag } from '@/shared/ui/state-tag';

interface Props {
  table: TaskTableRecord;
  onClose: () => void;
}

/** Why a table is as it is, since when, and what to do about it. */
export default function ReasonDialog({ table, onClose }: Props) {
  const isActive = usePageActive();
  return (
    <Modal title={table.source} open={isActive} onCancel={onClose} footer={null}>
      <p>
        <StateTag state={table.state} /> <Moment at={table.since} />
      </p>
      <p className="reason-text">{table.reason?.text}</p>
      {table.reason?.remedy && <Remedy text={table.reason.remedy} />}
    </Modal>
  );
}
