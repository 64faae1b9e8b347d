import { PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useMay } from '@/shared/hooks/use-may';
import { PendingState } from '@/shared/ui/pending-state';
import { KindDialog } from './kind-dialog';
import { type KindUse, useKinds } from './queries';

interface Props {
  label: string;
  /** The menu entry that grants it. */
  menu: string;
  use: KindUse;
  /** Where to go with a type. */
  to: (moduletype: string) => string;
}

/** What is new begins with the type of its database, where the viewer may make it. */
export function KindButton({ label, menu, use, to }: Props) {
  const navigate = useNavigate();
  const may = useMay(menu);
  const kinds = useKinds(use);
  const [isChoosing, setChoosing] = useState(false);
  if (!may('create')) return null;
  return (
    <>
      <Button type="primary" icon={<PlusOutlined />} onClick={() => setChoosing(true)}>
        {label}
      </Button>
      <KindDialog
        open={isChoosing}
        kinds={kinds.data}
        waiting={<PendingState query={kinds} rows={6} />}
        chosen={undefined}
        onChoose={({ moduletype }) => navigate(to(moduletype))}
        onClose={() => setChoosing(false)}
      />
    </>
  );
}
