import { PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useMay } from '@/shared/hooks/use-may';
import { KindDialog } from '@/shared/widgets/data-source/kind-dialog';
import { useKinds } from '@/shared/widgets/data-source/queries';
import { useAudience } from './audience';

/** A new target database begins with its type. */
export function KindButton({ label, to }: { label: string; to: (moduletype: string) => string }) {
  const navigate = useNavigate();
  const may = useMay(useAudience().menu);
  const kinds = useKinds('subscribe');
  const [isChoosing, setChoosing] = useState(false);
  if (!may('create')) return null;
  return (
    <>
      <Button
        type="primary"
        icon={<PlusOutlined />}
        loading={isChoosing && !kinds.data && !kinds.error}
        onClick={() => setChoosing(true)}
      >
        {label}
      </Button>
      <KindDialog
        open={isChoosing && kinds.data !== undefined}
        kinds={kinds.data ?? []}
        chosen={undefined}
        onChoose={({ moduletype }) => navigate(to(moduletype))}
        onClose={() => setChoosing(false)}
      />
    </>
  );
}
