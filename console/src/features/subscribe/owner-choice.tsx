import { Space } from 'antd';
import { type CustomerChoice, CustomerSelect, NodeSelect } from '@/shared/widgets/selectors';
import { useAudience } from './audience';

interface Props {
  customer?: { value: CustomerChoice; onChange: (choice: CustomerChoice) => void; withChannel?: boolean };
  node?: { value: string | undefined; onChange: (node: string | undefined) => void };
}

/** Whose things a list shows: of one customer, of one of its channels, of one publish node. */
export default function OwnerChoice({ customer, node }: Props) {
  const { clientType } = useAudience();
  return (
    <Space wrap size={[16, 4]}>
      {customer && <CustomerSelect clientType={clientType} {...customer} />}
      {node && <NodeSelect {...node} />}
    </Space>
  );
}
