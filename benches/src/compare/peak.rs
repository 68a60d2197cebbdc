//! The peak memory of a process.

/// Returns the peak memory of this process so far, in KiB, if the system reports it.
///
/// Linux keeps track of it (`VmHWM`, the high-water mark of resident memory); elsewhere the function returns
/// `None` instead of a different measure.
pub(super) fn peak_kib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    read(&status)
}

fn read(status: &str) -> Option<u64> {
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn the_high_water_mark_is_read_from_its_line() {
        let status = "Name:\tcompare\nVmPeak:\t   9000 kB\nVmHWM:\t    5124 kB\nVmRSS:\t 4 kB\n";
        assert_eq!(read(status), Some(5124));
        assert_eq!(read("Name:\tcompare\n"), None);
        assert_eq!(read("VmHWM:\tmuch\n"), None);
    }
}
