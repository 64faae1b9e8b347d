import { PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useMay } from '@/shared/hooks/use-may';

interface Props {
  menu: string;
  label: string;
  onClick: () => void;
}

/** Makes one more, where the viewer may. */
export function AddButton({ menu, label, onClick }: Props) {
  return useMay(menu)('create') ? (
    <Button type="primary" icon={<PlusOutlined />} onClick={onClick}>
      {label}
    </Button>
  ) : null;
}
