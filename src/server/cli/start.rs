//! Arguments of a start.

use clap::Args;

/// Start of a host in a cluster
#[derive(Args, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct HostArguments {
    /// Run without the other hosts of the cluster, which must all be stopped: what happens is not in their log
    #[arg(long)]
    pub alone: bool,
    /// Make the world of this host that of the cluster, and discard the log; refused while another host leads
    #[arg(long, conflicts_with = "alone")]
    pub new_history: bool,
}
